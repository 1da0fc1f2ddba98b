/**
 * The program of the threads that read texts. The build replaces this module by one that contains
 * the program's text (tools/packaging/embed-files.ts), because a bundle is a single file.
 */
export interface ThreadProgram {
  readonly code: URL | string;
  readonly isText: boolean;
}

export const textProgram: ThreadProgram = {
  code: new URL("./text-thread.ts", import.meta.url),
  isText: false,
};
