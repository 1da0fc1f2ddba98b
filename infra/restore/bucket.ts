/**
 * Copies the objects of a bucket into another within S3. The content of a key never changes, so a
 * repeated copy does no harm.
 */
import { CopyObjectCommand, ListObjectsV2Command, type S3Client } from "@aws-sdk/client-s3";
import { UPLOADS_PREFIX } from "#lib/adapters/aws/tables.ts";

const COPIES_AT_ONCE = 16;

/**
 * Uploads are omitted, because they are useless after a minute.
 * @returns the number of objects
 */
export const copyBucket = async (s3: S3Client, from: string, to: string): Promise<number> => {
  let count = 0;
  let ContinuationToken: string | undefined;
  do {
    const page = await s3.send(
      new ListObjectsV2Command({ Bucket: from, ...(ContinuationToken && { ContinuationToken }) }),
    );
    const keys = (page.Contents ?? []).flatMap(({ Key = "" }) =>
      Key === "" || Key.startsWith(UPLOADS_PREFIX) ? [] : [Key],
    );
    while (keys.length > 0) {
      const atOnce = keys.splice(0, COPIES_AT_ONCE);
      await Promise.all(atOnce.map((key) => copyObject(s3, from, to, key)));
      count += atOnce.length;
    }
    ContinuationToken = page.NextContinuationToken;
  } while (ContinuationToken !== undefined);
  return count;
};

const copyObject = async (s3: S3Client, from: string, to: string, Key: string): Promise<void> => {
  const CopySource = `${from}/${Key.split("/").map(encodeURIComponent).join("/")}`;
  await s3.send(new CopyObjectCommand({ Bucket: to, Key, CopySource }));
};
