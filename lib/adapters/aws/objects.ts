/** An S3 bucket as a store of immutable bytes by key. */
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import { RetryLater } from "#lib/errors.ts";

export interface Objects {
  putIfAbsent(key: string, body: Uint8Array, contentType: string): Promise<"stored" | "exists">;
  get(key: string): Promise<Uint8Array | null>;
  delete(key: string): Promise<void>;
  /** The first keys that start with `prefix`, in order. S3 gives at most 1,000. */
  list(prefix: string, keysMax: number): Promise<readonly string[]>;
}

const isNamed = (error: unknown, ...names: readonly string[]): boolean =>
  error instanceof S3ServiceException && names.includes(error.name);

export const openObjects = (client: S3Client, bucket: string): Objects => {
  const exists = async (key: string): Promise<boolean> => {
    try {
      await client.send(new HeadObjectCommand({ Bucket: bucket, Key: key }));
      return true;
    } catch (error) {
      if (isNamed(error, "NotFound", "NoSuchKey")) return false;
      throw error;
    }
  };

  return {
    // The lookup saves sending the body again, and some emulators ignore the condition.
    putIfAbsent: async (key, body, contentType) => {
      if (await exists(key)) return "exists";
      try {
        await client.send(
          new PutObjectCommand({
            Bucket: bucket,
            Key: key,
            Body: body,
            ContentType: contentType,
            IfNoneMatch: "*",
          }),
        );
        return "stored";
      } catch (error) {
        if (isNamed(error, "PreconditionFailed")) return "exists";
        if (isNamed(error, "ConditionalRequestConflict"))
          throw new RetryLater(`${key} is being written`, 1, { cause: error });
        throw error;
      }
    },
    get: async (key) => {
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
        return Body ? await Body.transformToByteArray() : new Uint8Array();
      } catch (error) {
        if (isNamed(error, "NoSuchKey")) return null;
        throw error;
      }
    },
    delete: async (key) => {
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }));
    },
    list: async (prefix, keysMax) => {
      const { Contents = [] } = await client.send(
        new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, MaxKeys: keysMax }),
      );
      return Contents.flatMap(({ Key }) => Key ?? []);
    },
  };
};
