import type { FormEvent } from 'react';
import { Button } from '../button';
import { Card } from '../card';
import { Notice } from '../notice';
import { useHydrated } from '../use-hydrated';

interface WriteKeyFormProps {
  title: string;
  /** What the key is needed for: `post readings to this server`. */
  purpose: string;
  /** True if the server rejected the last key. */
  isRejected: boolean;
  /** What became of what the key was sent with. */
  consequence?: string;
  onKey(key: string): void;
}

/** A form for the server's write key. */
export function WriteKeyForm({ title, purpose, isRejected, consequence, onKey }: WriteKeyFormProps) {
  const isHydrated = useHydrated();

  function handleSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const key = String(new FormData(event.currentTarget).get('key')).trim();
    if (key) onKey(key);
  }

  return (
    <Card title={title} needsScript>
      <form onSubmit={handleSubmit} className="grid max-w-md gap-3">
        {isRejected && <Notice>That isn't a valid write key. {consequence}</Notice>}
        <label htmlFor="write-key">To {purpose}, enter its write key. This browser will remember it.</label>
        {/* Password managers keep a password with a user name, and browsers warn of a form without one. */}
        <input type="text" autoComplete="username" value="airboard" readOnly hidden />
        <input
          id="write-key"
          name="key"
          type="password"
          required
          autoComplete="current-password"
          className="min-h-11 rounded-md border border-muted bg-canvas px-3 text-ink"
        />
        <Button look="primary" type="submit" disabled={!isHydrated} className="justify-self-start">
          Remember the key
        </Button>
      </form>
    </Card>
  );
}
