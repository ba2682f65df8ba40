/** What a service, or the way to it, answered instead of what was asked for. The message is for the user. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  constructor(
    message: string,
    /** HTTP status; absent where no answer came at all. */
    readonly status?: number,
  ) {
    super(message);
  }
}

const fieldsShown = 3;

/** Words a response that is no success as its service does: by the detail of its problem (RFC 9457). */
export async function errorOfResponse(response: Response): Promise<ServiceError> {
  const text = await response.text().catch(() => "");
  const problem = parseProblem(text);
  if (!problem) return new ServiceError(`The service answered with status ${response.status}.`, response.status);
  const fields = problem.errors.slice(0, fieldsShown).map(({ pointer, detail }) => `${pointer} ${detail}`);
  const hint = response.status === 401 ? ["Keys are given in Status, beside the service's address."] : [];
  return new ServiceError([problem.detail, ...fields, ...hint].join("\n"), response.status);
}

/** The error for a request that got no answer. */
export function unreachable(url: string): ServiceError {
  const { origin } = new URL(url);
  return new ServiceError(
    `Nothing answers at ${origin}. Check that the service runs, that the address in Status is right, and that the service permits requests from this page.`,
  );
}

function parseProblem(text: string): { detail: string; errors: { pointer: string; detail: string }[] } | undefined {
  try {
    const { detail, errors } = JSON.parse(text) as { detail?: unknown; errors?: unknown };
    if (typeof detail !== "string") return undefined;
    const listed = Array.isArray(errors) ? errors : [];
    return {
      detail,
      errors: listed.filter((error) => typeof error?.pointer === "string" && typeof error?.detail === "string"),
    };
  } catch {
    return undefined;
  }
}
