import { rm } from "node:fs/promises";
import { knowledgeLimits } from "@agent-backends/contract";
import { FairQueue } from "@agent-backends/kit";
import type { Validators } from "../../store/document.ts";
import { temporaryPath } from "../../store/temporary-files.ts";
import type { ReadingCaller } from "../prepared-document.ts";

export interface FetchedPage {
  /** The address after redirects. */
  url: string;
  contentType: string | undefined;
  path: string;
  bytesOnDisk: number;
  validators?: Validators;
}

/** The last known state of an address: its address after redirects, and its validators. */
export interface KnownPage {
  url: string;
  validators: Validators;
}

/** Fetches an address given by a user into a new file at `path`. @throws NotModifiedError */
export type FetchToFile = (
  url: string,
  path: string,
  signal: AbortSignal | undefined,
  known: KnownPage | undefined,
) => Promise<FetchedPage>;

/** Fetches a limited number of pages at a time, shared fairly between clients. This also limits the disk space they take. */
export class PageFetches {
  readonly #fetchToFile: FetchToFile;
  readonly #queue = new FairQueue({
    concurrency: knowledgeLimits.pageFetches,
    concurrencyPerClient: knowledgeLimits.pageFetchesPerKey,
  });

  constructor(fetchToFile: FetchToFile) {
    this.#fetchToFile = fetchToFile;
  }

  /**
   * Fetches a page, passes it to `read`, and deletes its file. The page keeps its slot until then, so pages that wait to be read delay
   * new fetches.
   *
   * @throws what fetching and `read` throw, and the signal's reason; NotModifiedError if the page hasn't changed since `known`
   */
  read<Result>(
    url: string,
    { client, signal, onProgress }: ReadingCaller,
    read: (page: FetchedPage) => Promise<Result>,
    known?: KnownPage,
  ): Promise<Result> {
    const fetchAndRead = async () => {
      const path = temporaryPath();
      onProgress?.({ stage: "fetching" });
      try {
        return await read(await this.#fetchToFile(url, path, signal, known));
      } finally {
        await rm(path, { force: true });
      }
    };
    return this.#queue.add(client, fetchAndRead, signal);
  }
}
