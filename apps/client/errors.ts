export class ClientError extends Error {
  override readonly name: string = "ClientError";
}

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
