/**
 * The memory for the bodies of requests and answers that are sent now. Each has a limit of its own,
 * but thousands of connections that stop in the middle of theirs would fill the memory.
 */

const MEBIBYTE = 1_024 * 1_024;
const ROOM_BYTES_MAX = 256 * MEBIBYTE;
/** Not counted, so that those who fill the room keep nobody from small requests. */
const SMALL_BODY_BYTES_MAX = 64 * 1_024;

export interface BodyShare {
  /** `bytes`: of the request so far, and then of the answer. False: there is no room for them. */
  resize(bytes: number): boolean;
  end(): void;
}

export interface BodyRoom {
  /** For one request. It must be ended. */
  share(): BodyShare;
}

export const openBodyRoom = (bytesMax = ROOM_BYTES_MAX): BodyRoom => {
  let used = 0;
  return {
    share: () => {
      let held = 0;
      let isOver = false;
      return {
        resize: (bytes) => {
          // The client went away before its answer was made.
          if (isOver) return true;
          const more = Math.max(bytes - SMALL_BODY_BYTES_MAX, 0) - held;
          if (more > 0 && used + more > bytesMax) return false;
          used += more;
          held += more;
          return true;
        },
        end: () => {
          used -= held;
          held = 0;
          isOver = true;
        },
      };
    },
  };
};
