import { hrefTo } from "../routes.ts";

/** A link from a failed call to the view where addresses and keys are changed. */
export const StatusLink = () => (
  <a className="button button-small" href={hrefTo("status")}>
    See Status
  </a>
);
