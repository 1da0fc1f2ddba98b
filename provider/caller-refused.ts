/**
 * The back-end knows its caller no more, so this call has done nothing. An earlier call with its
 * token may have.
 */
export class CallerRefused extends Error {
  override readonly name = "CallerRefused";
}
