import type { FormEvent } from 'react';
import { Button } from '../button';
import { Card } from '../card';
import { Notice } from '../notice';

interface WriteKeyFormProps {
  /** Whether the key that was given last was refused. */
  isRefused: boolean;
  onKey(key: string): void;
}

/** Asks for the key that writing needs. */
export function WriteKeyForm({ isRefused, onKey }: WriteKeyFormProps) {
  function remember(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const key = String(new FormData(event.currentTarget).get('key')).trim();
    if (key) onKey(key);
  }

  return (
    <Card title="Post data">
      <form onSubmit={remember} className="grid max-w-md gap-3">
        {isRefused && <Notice>The server refused that key. Nothing was stored.</Notice>}
        <label htmlFor="write-key">
          This server takes readings only with its write key. It is remembered in this browser.
        </label>
        <input
          id="write-key"
          name="key"
          type="password"
          required
          autoComplete="current-password"
          className="min-h-11 rounded-md border border-muted bg-canvas px-3 text-ink"
        />
        <Button primary type="submit" className="justify-self-start">
          Remember the key
        </Button>
      </form>
    </Card>
  );
}
