/**
 * The memory for the bodies of requests and answers that are sent now. Each has a limit of its own,
 * but thousands of connections that stop in the middle of theirs would fill the memory.
 */

const MEBIBYTE = 1_024 * 1_024;
/**
 * @limit large requests and answers that are under way at once. Signed agents' URLs have as much
 * for themselves
 * @beyond 503 with `Retry-After`
 */
const ROOM_BYTES_MAX = 256 * MEBIBYTE;
/**
 * Not counted, so that those who fill the room keep nobody from small requests.
 * @limit a request or answer that is not counted there
 * @beyond it counts
 */
const SMALL_BODY_BYTES_MAX = 64 * 1_024;

export interface BodyShare {
  /** `bytes`: of the request so far, and then of the answer. False: there is no room for them. */
  resize(bytes: number): boolean;
  end(): void;
}

export interface BodyRoom {
  /**
   * For one request. It must be ended. Signatures are checked after the body, so requests to signed
   * URLs share a room of their own.
   */
  share(isSigned: boolean): BodyShare;
}

export const openBodyRoom = (bytesMax = ROOM_BYTES_MAX): BodyRoom => {
  const [signed, others] = [{ used: 0 }, { used: 0 }];
  return {
    share: (isSigned) => {
      const room = isSigned ? signed : others;
      let held = 0;
      return {
        resize: (bytes) => {
          const more = Math.max(bytes - SMALL_BODY_BYTES_MAX, 0) - held;
          if (more > 0 && room.used + more > bytesMax) return false;
          room.used += more;
          held += more;
          return true;
        },
        end: () => {
          room.used -= held;
          held = 0;
        },
      };
    },
  };
};
