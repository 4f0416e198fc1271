import { buildApp, isBuildNeeded } from '../../scripts/build-app.js';
import { ensureChromium } from './chromium';

/** Builds the product if its sources have changed, and makes sure that there is a Chromium. */
export default function prepareProduct(): void {
  if (isBuildNeeded()) buildApp();
  console.log(`Chromium: ${ensureChromium()}`);
}
