import { Link } from '@remix-run/react';
import { Notice } from '../notice';

/** Replaces the button for posting after the server rejected this browser's write key. */
export function WriteKeyRejected() {
  return (
    <Notice>
      That isn't a valid write key. Nothing was stored. <Link to="/postdata">Enter it again</Link>
    </Notice>
  );
}
