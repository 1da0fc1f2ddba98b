import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  type S3Client,
} from "@aws-sdk/client-s3";

export const blobsText = async (s3: S3Client, Bucket: string): Promise<string> => {
  const texts: string[] = [];
  let ContinuationToken: string | undefined;
  do {
    const page: ListObjectsV2CommandOutput = await s3.send(
      new ListObjectsV2Command({ Bucket, ...(ContinuationToken && { ContinuationToken }) }),
    );
    for (const { Key } of page.Contents ?? []) {
      const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
      texts.push((await Body?.transformToString()) ?? "");
    }
    ContinuationToken = page.NextContinuationToken;
  } while (ContinuationToken !== undefined);
  return texts.join("\n");
};

export const emptyBucket = async (s3: S3Client, Bucket: string): Promise<void> => {
  for (;;) {
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket }));
    if (Contents.length === 0) return;
    for (const { Key } of Contents) await s3.send(new DeleteObjectCommand({ Bucket, Key }));
  }
};
