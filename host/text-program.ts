/**
 * The program of the threads that read texts. The build puts a module with the program's own text
 * in the place of this one (packaging/embed-files.ts), because one file has no second to load.
 */
export interface ThreadProgram {
  readonly code: URL | string;
  /** `code` is the program itself, and not where it is. */
  readonly isText: boolean;
}

export const textProgram: ThreadProgram = {
  code: new URL("./text-thread.ts", import.meta.url),
  isText: false,
};
