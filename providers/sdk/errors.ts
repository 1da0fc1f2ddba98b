/** No answer arrived, so the outcome is unknown. Hearth repeats the call with its token. */
export class AnswerLost extends Error {
  override readonly name = "AnswerLost";
  readonly afterSeconds: number;
  constructor(message: string, afterSeconds: number, options?: ErrorOptions) {
    super(message, options);
    this.afterSeconds = afterSeconds;
  }
}

/**
 * The back-end does not accept the caller, so this call had no effect. An earlier call with the
 * same token may have had one.
 */
export class CallerRefused extends Error {
  override readonly name = "CallerRefused";
}
