import { type ReactNode, useContext, useState } from 'react';
import { isInForeignFrame } from '../live/browser/foreign-frame';
import { useBeforePaint } from './hydration';
import { NonceContext } from './page-contexts';

/** Returns true in a frame of another site, but false on the server and during the first render. */
export function useFramed(): boolean {
  const [isFramed, setFramed] = useState(false);
  useBeforePaint(() => setFramed(isInForeignFrame()), []);
  return isFramed;
}

/** Controls that write or lead to writing. A frame of another site doesn't show them. */
export function NotFramed({ children }: { children: ReactNode }) {
  return useFramed() ? null : <span className={`contents ${UNFRAMED}`}>{children}</span>;
}

/** Hides an element in frames of other sites, even before the page's scripts have loaded. */
export const UNFRAMED = 'in-[[data-framed]]:hidden';

/** A copy of `isInForeignFrame`. */
const MARK_FRAME =
  "try{for(let f=self;f!==f.parent;f=f.parent)f.parent.location.href}catch{document.documentElement.toggleAttribute('data-framed',true)}";

/**
 * An empty `sessionStorage` where the browser denies access to it, as in frames of other sites. Remix would follow no
 * links without one. `setItem` still throws, because pages don't reload if they can't remember it.
 */
const EMPTY_STORAGE =
  "try{sessionStorage}catch(e){Object.defineProperty(self,'sessionStorage',{value:{getItem:()=>null,setItem(){throw e},removeItem(){}}})}";

/** Sets `data-framed` before the first paint in frames of other sites, and prepares pages for them. */
export function FrameNote() {
  const nonce = useContext(NonceContext);
  return (
    <script
      nonce={nonce}
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the script is a constant.
      dangerouslySetInnerHTML={{ __html: import.meta.env.SSR ? MARK_FRAME + EMPTY_STORAGE : '' }}
    />
  );
}
