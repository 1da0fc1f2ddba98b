/**
 * Errors, classed by what the caller must do with them. Expected races are not here: they are
 * returned unions. Names and texts are Heat's (heat/common/exception.py), since clients match on them.
 */

/** The request is wrong or cannot be served: answered to the client once, in lib/api. */
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

/** The service is busy or throttled: the message goes back to its queue, the HTTP caller gets 503 with Retry-After. */
export class RetryLater extends Error {
  override readonly name = "RetryLater";
  readonly afterSeconds: number;
  constructor(message: string, afterSeconds = 1, options?: ErrorOptions) {
    super(message, options);
    this.afterSeconds = afterSeconds;
  }
}

/** A broken invariant of our own: never caught, so that the message ends in the dead-letter queue and somebody looks. */
export class Bug extends Error {
  override readonly name = "Bug";
}

/** Some of many records cannot be read, which must not keep those that can from being worked on. */
export class SomeUnreadable<Readable> extends Bug {
  readonly readable: readonly Readable[];
  constructor(what: string, readable: readonly Readable[], options?: ErrorOptions) {
    super(`${what} cannot be read`, options);
    this.readable = readable;
  }
}

export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Bug(message);
}

/** For what the types say may be absent and the protocol says is there. */
export const present = <T>(value: T | null | undefined, what: string): T => {
  if (value === null || value === undefined) throw new Bug(`${what} is missing`);
  return value;
};

export const validationFailed = (message: string): RequestError =>
  new RequestError("StackValidationFailed", 400, message);

export const badRequest = (message: string): RequestError =>
  new RequestError("HTTPBadRequest", 400, message);

export const requestLimitExceeded = (message: string): RequestError =>
  new RequestError("RequestLimitExceeded", 400, `Request limit exceeded: ${message}`);

/** Heat's EntityNotFound: `The Stack (x) could not be found.` */
export const entityNotFound = (entity: string, name: string): RequestError =>
  new RequestError("EntityNotFound", 404, `The ${entity} (${name}) could not be found.`);

export const forbidden = (message: string): RequestError =>
  new RequestError("Forbidden", 403, message);

export const gone = (message: string): RequestError => new RequestError("HTTPGone", 410, message);

export const stackExists = (name: string): RequestError =>
  new RequestError("StackExists", 409, `The Stack (${name}) already exists.`);

/** Heat's ActionInProgress; also the answer to the loser of a race between two requests. */
export const actionInProgress = (stack: string, action: string): RequestError =>
  new RequestError(
    "ActionInProgress",
    409,
    `Stack ${stack} already has an action (${action}) in progress.`,
  );

export const notSupported = (feature: string): RequestError =>
  new RequestError("NotSupported", 400, `${feature} is not supported.`);
