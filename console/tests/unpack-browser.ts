import sparticuz from "@sparticuz/chromium";

/** Runs once before all tests. Test files that unpack the browser at the same time would start a partly written one. */
export default async function unpackBrowser(): Promise<void> {
  process.env.CHROMIUM_PATH ??= await sparticuz.executablePath();
}
