import { relative } from "node:path";
import type { TestSpecification } from "vitest/node";
import { BaseSequencer } from "vitest/node";

/** The slowest files. They start browsers and processes, so their sizes say nothing about their durations. */
const longest = [
  "console/tests/chats.test.ts",
  "console/tests/console.test.ts",
  "services/knowledge/tests/store/store.test.ts",
  "services/knowledge/tests/process.test.ts",
  "tests/start/npm-start.test.ts",
  "services/knowledge/tests/ingest/ingest.test.ts",
  "tests/trust/limits.test.ts",
  "tests/trust/start.test.ts",
  "tests/operations/operations.test.ts",
  "services/relay/conformance/process.test.ts",
  "services/knowledge/tests/ingest/large-inputs.test.ts",
  "tests/observability/traces.test.ts",
  "tests/trust/lifecycle.test.ts",
  "services/knowledge/tests/kill-rounds.test.ts",
];

/** Without durations of an earlier run, starts the slowest files first, so that none of them ends the run alone. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = longest.indexOf(relative(this.ctx.config.root, moduleId));
      return place < 0 ? longest.length : place;
    };
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
  }
}
