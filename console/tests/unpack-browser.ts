import sparticuz from "@sparticuz/chromium";

/** Runs once before all tests: test files that unpack the browser at the same time start one that is half written. */
export default async function unpackBrowser(): Promise<void> {
  process.env.CHROMIUM_PATH ??= await sparticuz.executablePath();
}
