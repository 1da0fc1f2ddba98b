/** The client's own errors. What the server refuses is a RequestError. */

/** The client cannot go on. */
export class ClientError extends Error {
  override readonly name: string = "ClientError";
}

/** A request got no answer: the server is away. Waiting may help. */
export class Unreachable extends ClientError {
  override readonly name = "Unreachable";
}

/** The answer is not one of Heat's, so the endpoint is probably wrong. */
export class UnexpectedAnswer extends ClientError {
  override readonly name = "UnexpectedAnswer";
}

/** The named resource has no deployment. */
export class NoDeployment extends ClientError {
  override readonly name = "NoDeployment";
}

/** The named resource nests no stack. */
export class NoNestedStack extends ClientError {
  override readonly name = "NoNestedStack";
}
