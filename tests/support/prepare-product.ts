import { buildApp, isBuildNeeded } from '../../scripts/build/build-app.js';

/** Builds the product if its sources have changed. */
export default function prepareProduct(): void {
  if (isBuildNeeded()) buildApp();
}
