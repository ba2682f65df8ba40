import type { Job } from "@agent-backends/contract";
import type { FinishedJob } from "./expired-jobs.ts";
import type { JobCursor, JobPage, JobState } from "./job-store.ts";

/** The cached data of a job, which is known without reading it. */
interface ListedJob extends JobCursor {
  namespace: string;
  owner?: string | undefined;
  /** Set once the job has ended. The job doesn't change after that. */
  finishedAt?: string | undefined;
  status: Job["status"];
}

type ReadState = (id: string) => Promise<JobState | undefined>;

const isOlder = (one: JobCursor, other: JobCursor): boolean =>
  one.createdAt < other.createdAt || (one.createdAt === other.createdAt && one.id < other.id);

/** Lists jobs when only their ids can be listed at once. Reads as few jobs as possible. */
export class JobList {
  readonly #jobs = new Map<string, ListedJob>();

  async list({ owner, limit, after, status }: JobPage, ids: string[], read: ReadState): Promise<Job[]> {
    const found = await this.#update(ids, read);
    const ordered = found
      .filter((job) => (job.owner ?? "") === owner && (!after || isOlder(job, after)))
      .sort((one, other) => (isOlder(one, other) ? 1 : -1));
    const jobs: Job[] = [];
    for (const listed of ordered) {
      if (jobs.length === limit) break;
      if (status !== undefined && listed.finishedAt !== undefined && listed.status !== status) continue;
      const state = await read(listed.id);
      if (!state) continue;
      this.#note(state);
      if (status === undefined || state.job.status === status) jobs.push(state.job);
    }
    return jobs;
  }

  /** Oldest first. */
  async findUnfinished(ids: string[], read: ReadState): Promise<ListedJob[]> {
    const found = await this.#update(ids, read, ({ finishedAt }) => finishedAt === undefined);
    return found
      .filter(({ finishedAt }) => finishedAt === undefined)
      .sort((one, other) => (isOlder(one, other) ? -1 : 1));
  }

  async findFinished(ids: string[], read: ReadState): Promise<FinishedJob[]> {
    const found = await this.#update(ids, read, ({ finishedAt }) => finishedAt === undefined);
    return found.flatMap(({ finishedAt, ...job }) => (finishedAt ? [{ ...job, finishedAt }] : []));
  }

  /** Returns the jobs with these ids. A concurrent call may not know the latest ids, and remove those jobs from the cache. */
  async #update(ids: string[], read: ReadState, isStale = (_job: ListedJob): boolean => false): Promise<ListedJob[]> {
    const found: ListedJob[] = [];
    for (const id of ids) {
      const known = this.#jobs.get(id);
      const state = known && !isStale(known) ? undefined : await read(id);
      const job = state ? this.#note(state) : known;
      if (job) found.push(job);
    }
    const listed = new Set(ids);
    for (const id of this.#jobs.keys()) if (!listed.has(id)) this.#jobs.delete(id);
    return found;
  }

  #note({ job, owner }: JobState): ListedJob {
    const { job_id: id, namespace, created_at: createdAt, finished_at: finishedAt, status } = job;
    const listed = { id, namespace, createdAt, finishedAt, status, owner };
    this.#jobs.set(id, listed);
    return listed;
  }
}
