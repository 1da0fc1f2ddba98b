/** The client's own errors. A refusal by the server is a RequestError. */

export class ClientError extends Error {
  override readonly name: string = "ClientError";
}

/** A request got no answer. Waiting may help. */
export class Unreachable extends ClientError {
  override readonly name = "Unreachable";
}

/** The answer is not one of Heat's, so the endpoint is probably wrong. */
export class UnexpectedAnswer extends ClientError {
  override readonly name = "UnexpectedAnswer";
}

export class NoDeployment extends ClientError {
  override readonly name = "NoDeployment";
}

export class NoNestedStack extends ClientError {
  override readonly name = "NoNestedStack";
}
