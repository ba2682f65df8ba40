const sample = JSON.stringify(Array.from({ length: 1_000 }, (_, id) => ({ id, name: `name ${id}`, tags: ["a", "b"] })));
/** CPU time for reading and writing the sample 20 times on an otherwise idle server core of about 3 GHz. */
const referenceMs = 6;

/**
 * How many times slower this processor currently is than the one that time limits are for, at least 1. Other programs on the same core and
 * its hyper-thread also slow it down.
 */
export function measureSlowness(): number {
  const usage = process.threadCpuUsage();
  for (let i = 0; i < 20; i++) JSON.stringify(JSON.parse(sample));
  const { user, system } = process.threadCpuUsage(usage);
  return Math.max(1, (user + system) / 1_000 / referenceMs);
}
