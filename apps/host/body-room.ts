/**
 * Limits the memory for all request and answer bodies that are being sent. Each body has its own
 * limit, but thousands of connections that stop halfway would fill the memory.
 */

const MEBIBYTE = 1_024 * 1_024;
/**
 * @limit large requests and answers that are under way at once, of a project at most as much as it
 * leaves free. Signed agents' URLs have as much for themselves
 * @beyond 503 with `Retry-After`
 */
const ROOM_BYTES_MAX = 256 * MEBIBYTE;
/**
 * Small bodies are not counted, so that clients that fill the room cannot block small requests.
 * @limit a request or answer that is not counted there
 * @beyond it counts
 */
const SMALL_BODY_BYTES_MAX = 64 * 1_024;

export interface BodyShare {
  /**
   * `bytes` is the size of the request so far, and later of the answer.
   * @returns false if there is no room for them
   */
  resize(bytes: number): boolean;
}

export interface BodyPlace {
  /** `project` is the project of the request's credential, or empty if the request needs none. */
  of(project: string): BodyShare;
  end(): void;
}

export interface BodyRoom {
  /** Signed URLs have a room of their own. The caller must call `end` on the place. */
  open(isSigned: boolean): BodyPlace;
}

interface Room {
  used: number;
  readonly byProject: Map<string, number>;
}

const newRoom = (): Room => ({ used: 0, byProject: new Map() });

/**
 * A project may not use more than it leaves free. So one project gets at most half of the room, and
 * several projects that fill it still leave a share for the next one.
 */
const hasRoom = ({ used, byProject }: Room, project: string, more: number, bytesMax: number) =>
  (byProject.get(project) ?? 0) + more <= bytesMax - used - more;

const take = (room: Room, project: string, more: number): void => {
  const bytes = (room.byProject.get(project) ?? 0) + more;
  room.used += more;
  if (bytes === 0) room.byProject.delete(project);
  else room.byProject.set(project, bytes);
};

export const openBodyRoom = (bytesMax = ROOM_BYTES_MAX): BodyRoom => {
  const [signed, others] = [newRoom(), newRoom()];
  return {
    open: (isSigned) => {
      const room = isSigned ? signed : others;
      let held = 0;
      let owner = "";
      return {
        of: (project) => {
          owner = project;
          return {
            resize: (bytes) => {
              const more = Math.max(bytes - SMALL_BODY_BYTES_MAX, 0) - held;
              if (more > 0 && !hasRoom(room, project, more, bytesMax)) return false;
              take(room, project, more);
              held += more;
              return true;
            },
          };
        },
        end: () => {
          take(room, owner, -held);
          held = 0;
        },
      };
    },
  };
};
