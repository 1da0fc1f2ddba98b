/** A call whose end nobody knows: its answer did not come. Hearth makes it again with its token. */
export class AnswerLost extends Error {
  override readonly name = "AnswerLost";
  /** When it is worth asking again. */
  readonly afterSeconds: number;
  constructor(message: string, afterSeconds: number, options?: ErrorOptions) {
    super(message, options);
    this.afterSeconds = afterSeconds;
  }
}
