import { type RunnerTestFile, type RunnerTestSuite, TestRunner } from 'vitest';

/** Runs the tests of browser pages, or skips them all if `prepareChromium` found no Chromium. */
export default class BrowserRunner extends TestRunner {
  onCollected(files: RunnerTestFile[]): void {
    if (!process.env.CHROMIUM_PATH) for (const file of files) skip(file);
  }
}

function skip(suite: RunnerTestSuite): void {
  suite.mode = 'skip';
  for (const task of suite.tasks) {
    if (task.type === 'suite') skip(task);
    else task.mode = 'skip';
  }
}
