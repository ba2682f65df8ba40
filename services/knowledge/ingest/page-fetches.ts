import { rm } from "node:fs/promises";
import { knowledgeLimits } from "@agent-backends/contract";
import type { Caller } from "@agent-backends/kit";
import { FairQueue } from "@agent-backends/kit";
import { temporaryPath } from "./temporary-files.ts";

/** What an address gave, in a file. */
export interface FetchedPage {
  /** The address after redirects. */
  url: string;
  contentType: string | undefined;
  path: string;
  bytesOnDisk: number;
}

/** Fetches an address that a user gave into a new file at `path`. */
export type FetchToFile = (url: string, path: string, signal: AbortSignal | undefined) => Promise<FetchedPage>;

/** Fetches pages a bounded number at a time, shared between clients: all that pages take is on disk, and bounded with them. */
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
   * Has a page read, which is gone afterwards. It keeps its place until then, so that pages which wait to be read hold new ones
   * back. Rejects with what fetching or reading rejects with, and with the caller's signal's reason.
   */
  read<Result>(url: string, { client, signal }: Caller, read: (page: FetchedPage) => Promise<Result>): Promise<Result> {
    const fetchAndRead = async () => {
      const path = temporaryPath();
      try {
        return await read(await this.#fetchToFile(url, path, signal));
      } finally {
        await rm(path, { force: true });
      }
    };
    return this.#queue.add(client, fetchAndRead, signal);
  }
}
