/**
 * The back-end does not accept the caller, so this call had no effect. An earlier call with the
 * same token may have had one.
 */
export class CallerRefused extends Error {
  override readonly name = "CallerRefused";
}
