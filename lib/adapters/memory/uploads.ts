import type { Upload, Uploads } from "#lib/ports/ports.ts";

export interface MemoryUploads extends Uploads {
  put(id: string, text: string): boolean;
  expire(): void;
}

export const memoryUploads = (): MemoryUploads => {
  const opened = new Map<string, Upload>();
  const texts = new Map<string, string>();
  return {
    open: async (upload) => {
      opened.set(upload.id, upload);
      return { url: `https://uploads.example/${upload.id}`, headers: {} };
    },
    put: (id, text) => {
      const isOpen = opened.get(id)?.bytes === new TextEncoder().encode(text).length;
      if (isOpen) texts.set(id, text);
      return isOpen;
    },
    get: async ({ id }) => texts.get(id) ?? null,
    delete: async ({ id }) => {
      texts.delete(id);
    },
    expire: () => texts.clear(),
  };
};
