import { relative } from "node:path";
import type { TestSpecification } from "vitest/node";
import { BaseSequencer } from "vitest/node";

/** The slowest files. They start browsers and processes, so their sizes don't predict their durations. */
const longest = [
  "console/tests/console.long.test.ts",
  "services/knowledge/tests/knowledge.test.ts",
  "tests/start/npm-start.long.test.ts",
  "tests/scale/scale.long.test.ts",
  "services/knowledge/tests/ingest/large-inputs.long.test.ts",
  "services/relay/conformance/runs.test.ts",
  "tests/operations/operations.long.test.ts",
  "tests/abuse/abuse.long.test.ts",
  "services/knowledge/tests/store/lance/conformance.test.ts",
  "services/knowledge/tests/process.long.test.ts",
  "cli/tests/cli.test.ts",
  "services/knowledge/tests/ingest/ingest.test.ts",
  "services/knowledge/tests/store/lance/memory-and-engine.long.test.ts",
  "services/listing/routing/model/train.long.test.ts",
  "services/relay/conformance/provider/cuts.long.test.ts",
  "services/relay/conformance/collections.long.test.ts",
  "services/relay/conformance/rolling-restart.long.test.ts",
  "tests/status/ready.long.test.ts",
  "tests/trust/limits.long.test.ts",
  "tests/trust/lifecycle.long.test.ts",
  "tests/workers/workers.long.test.ts",
  "services/knowledge/tests/kill-rounds.long.test.ts",
  "services/knowledge/tests/store/postgres/conformance.long.test.ts",
  "tests/hostile/hostile-requests.long.test.ts",
  "tests/trust/fairness.long.test.ts",
];

/** Without durations of an earlier run, starts the slowest files first, so that the run doesn't end with one of them alone. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = longest.indexOf(relative(this.ctx.config.root, moduleId));
      return place < 0 ? longest.length : place;
    };
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
  }
}
