import type ts from "typescript";
import type { TextFile } from "./repository.ts";

export interface SourceFile extends TextFile {
  readonly syntax: ts.SourceFile;
}

export interface Problem {
  readonly line: number;
  readonly what: string;
}

export interface Rule<File extends TextFile = SourceFile> {
  readonly name: string;
  readonly appliesTo: (path: string) => boolean;
  readonly problemsOf: (file: File) => readonly Problem[];
}

export const everywhere = (): boolean => true;

export const brokenBy = <File extends TextFile>(
  rule: Rule<File>,
  files: readonly File[],
): readonly string[] =>
  files
    .filter(({ path }) => rule.appliesTo(path))
    .flatMap((file) =>
      rule.problemsOf(file).map(({ line, what }) => `${file.path}:${line} ${what}`),
    );
