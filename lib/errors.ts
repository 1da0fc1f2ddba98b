/**
 * There is one error class for each reaction of a caller. Expected races are not errors but
 * returned unions. Names and texts are Heat's (heat/common/exception.py), because clients match on
 * them.
 */

export class RequestError extends Error {
  override readonly name = "RequestError";
  readonly code: string;
  readonly status: number;
  constructor(code: string, status: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.status = status;
  }
}

export class SeveralErrors extends RequestError {
  readonly others: readonly RequestError[];
  constructor(first: RequestError, others: readonly RequestError[]) {
    super(first.code, first.status, first.message, { cause: first.cause });
    this.others = others;
  }
}

/**
 * The service is busy or throttled. A message returns to its queue, and an HTTP client gets 503
 * with Retry-After.
 */
export class RetryLater extends Error {
  override readonly name = "RetryLater";
  readonly afterSeconds: number;
  constructor(message: string, afterSeconds = 1, options?: ErrorOptions) {
    super(message, options);
    this.afterSeconds = afterSeconds;
  }
}

/** A provider that runs as a server does not answer, so its types are unknown. */
export class ProviderAway extends RetryLater {}

/**
 * A broken invariant of our own. Nothing catches it, so the message ends in the dead-letter queue
 * and raises an alarm.
 */
export class Bug extends Error {
  override readonly name = "Bug";
}

export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Bug(message);
}

export const present = <T>(value: T | null | undefined, what: string): T => {
  if (value === null || value === undefined) throw new Bug(`${what} is missing`);
  return value;
};

/** @returns null where the attempt throws a RequestError. */
export const unlessRefused = <T>(attempt: () => T): T | null => {
  try {
    return attempt();
  } catch (error) {
    if (error instanceof RequestError) return null;
    throw error;
  }
};

export const validationFailed = (message: string): RequestError =>
  new RequestError("StackValidationFailed", 400, message);

export const badRequest = (message: string): RequestError =>
  new RequestError("HTTPBadRequest", 400, message);

export const requestLimitExceeded = (message: string): RequestError =>
  new RequestError("RequestLimitExceeded", 400, `Request limit exceeded: ${message}`);

export const conflict = (message: string): RequestError =>
  new RequestError("HTTPConflict", 409, message);

export const entityNotFound = (entity: string, name: string): RequestError =>
  new RequestError("EntityNotFound", 404, `The ${entity} (${name}) could not be found.`);

export const forbidden = (message: string): RequestError =>
  new RequestError("Forbidden", 403, message);

export const gone = (message: string): RequestError => new RequestError("HTTPGone", 410, message);

export const stackExists = (name: string): RequestError =>
  new RequestError("StackExists", 409, `The Stack (${name}) already exists.`);

/** Heat's ActionInProgress. The loser of two concurrent requests gets this error too. */
export const actionInProgress = (stack: string, action: string): RequestError =>
  new RequestError(
    "ActionInProgress",
    409,
    `Stack ${stack} already has an action (${action}) in progress.`,
  );

export const notSupported = (feature: string): RequestError =>
  new RequestError("NotSupported", 400, `${feature} is not supported.`);

export const propertyConflict = (...properties: readonly string[]): RequestError =>
  new RequestError(
    "ResourcePropertyConflict",
    400,
    `Cannot define the following properties at the same time: ${properties.join(", ")}.`,
  );

export const propertyUnspecified = (...properties: readonly string[]): RequestError =>
  new RequestError(
    "PropertyUnspecifiedError",
    400,
    `At least one of the following properties must be specified: ${properties.join(", ")}.`,
  );

/** Heat's ResourcePropertyDependency. Heat answers 500, although the template is wrong. */
export const propertyDependency = (property: string, needed: string): RequestError =>
  new RequestError(
    "ResourcePropertyDependency",
    400,
    `${property} cannot be specified without ${needed}.`,
  );

/** Heat's ResourcePropertyValueDependency. Heat answers 500, although the template is wrong. */
export const propertyValueDependency = (
  property: string,
  other: string,
  value: string,
): RequestError =>
  new RequestError(
    "ResourcePropertyValueDependency",
    400,
    `${property} property should only be specified for ${other} with value ${value}.`,
  );
