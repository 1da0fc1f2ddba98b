import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  type HeadObjectCommandOutput,
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
  deleteVersions(key: string): Promise<void>;
  list(prefix: string, keysMax: number): Promise<readonly string[]>;
}

const VERSIONS_MAX = 10;

const isNamed = (error: unknown, ...names: readonly string[]): boolean =>
  error instanceof S3ServiceException && names.includes(error.name);

export const openObjects = (client: S3Client, bucket: string): Objects => {
  const newestVersion = async (key: string): Promise<HeadObjectCommandOutput | null> => {
    try {
      return await client.send(new HeadObjectCommand({ Bucket: bucket, Key: key }));
    } catch (error) {
      if (isNamed(error, "NotFound", "NoSuchKey")) return null;
      throw error;
    }
  };

  return {
    // The lookup often avoids sending a body that exists, and some emulators ignore the condition.
    putIfAbsent: async (key, body, contentType) => {
      if ((await newestVersion(key)) !== null) return "exists";
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
    deleteVersions: async (key) => {
      let newest = await newestVersion(key);
      for (let times = 0; newest !== null && times < VERSIONS_MAX; times += 1) {
        const { VersionId } = newest;
        await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key, VersionId }));
        newest = await newestVersion(key);
      }
    },
    list: async (prefix, keysMax) => {
      const { Contents = [] } = await client.send(
        new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, MaxKeys: keysMax }),
      );
      return Contents.flatMap(({ Key }) => Key ?? []);
    },
  };
};
