import { installOwnPackages } from "../install-own-packages.ts";

export default (): void => installOwnPackages(import.meta.dirname);
