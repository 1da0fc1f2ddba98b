/**
 * The back-end no longer accepts the caller's credentials, so this call has done nothing. An
 * earlier call with the same token may have.
 */
export class CallerRefused extends Error {
  override readonly name = "CallerRefused";
}
