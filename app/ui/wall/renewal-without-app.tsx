import { useContext, useEffect } from 'react';
import { NonceContext } from '../page-contexts';

const SECONDS = 60;

/** The mark on a document whose app has started. */
const STARTED = 'data-started';

/**
 * Written for browsers that can't read the app's scripts. Waits until the page has loaded, because a slow line shouldn't
 * start again, and until the server answers, because a browser's error page wouldn't return.
 */
const RELOAD = `setInterval(function () {
  if (document.readyState !== 'complete' || document.documentElement.hasAttribute('${STARTED}')) return;
  var request = new XMLHttpRequest();
  request.onload = function () {
    if (request.status === 200) location.reload();
  };
  request.open('GET', location.href);
  request.send();
}, ${SECONDS * 1000});`;

/** Reloads a wall each minute in browsers that don't run the app: old ones, and those with JavaScript turned off. */
export function RenewalWithoutApp() {
  const nonce = useContext(NonceContext);
  useEffect(() => document.documentElement.setAttribute(STARTED, ''), []);
  return (
    <>
      {/* In the browser, React ignores the children of `noscript`. */}
      <noscript>{import.meta.env.SSR && <meta httpEquiv="refresh" content={String(SECONDS)} />}</noscript>
      <script
        nonce={nonce}
        // The browser hides the nonce from React.
        suppressHydrationWarning
        // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant text.
        dangerouslySetInnerHTML={{ __html: RELOAD }}
      />
    </>
  );
}
