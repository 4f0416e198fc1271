import { basename } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Small files that take about a minute. Vitest would start them last, and then only one of them would still run. */
const LONG_TESTS = [
  'add-metric.slow.test.ts',
  'deaf-streams.slow.test.ts',
  'restore-kill.test.ts',
  'slow-requests.slow.test.ts',
];

/** Starts the long files of each project first. Vitest starts the largest ones first, until it knows how long each takes. */
export class LongTestsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return projects.flatMap((project) => {
      const own = sorted.filter((file) => file.project === project);
      const isLong = ({ moduleId }: TestSpecification) => LONG_TESTS.includes(basename(moduleId));
      return [...own.filter(isLong), ...own.filter((file) => !isLong(file))];
    });
  }
}
