import { buildApp, isBuildNeeded } from '../../scripts/build-app.js';
import { ensureChromium } from './chromium';

/** Once before the product's tests: a build of what is there now, and a Chromium to drive it with. */
export default function prepareProduct(): void {
  if (isBuildNeeded()) buildApp();
  console.log(`Chromium: ${ensureChromium()}`);
}
