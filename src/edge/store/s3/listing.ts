import type { CommonPrefix, ListMultipartUploadsOutput, ListObjectsV2Output } from '@aws-sdk/client-s3';
import { AppError, cleanText } from '../../../base/index.ts';
import type { CallOptions, ObjectFacts, Upload } from '../port.ts';
import { PAGE_SIZE } from './answer-body.ts';
import { allPages, type PageOf } from './pages.ts';
import { type Bucket, request } from './requests.ts';

export async function* listObjects(bucket: Bucket, prefix: string, call: CallOptions): AsyncGenerator<ObjectFacts> {
  const what = `list ${prefix} in ${bucket.where}`;
  yield* allPages(what, bucket.limits.list, async (token) => {
    const page = await objectPage(bucket, { what, prefix, token, call });
    // Some stores list empty objects that represent folders.
    const objects = (page.Contents ?? []).filter(({ Key }) => Key !== undefined && !Key.endsWith('/'));
    return { items: objects.map((object) => checked(what, prefix, facts(object))), next: nextOf(what, page) };
  });
}

export async function* listFolders(bucket: Bucket, prefix: string, call: CallOptions): AsyncGenerator<string> {
  const what = `list folders ${prefix === '' ? '' : `of ${prefix} `}in ${bucket.where}`;
  yield* allPages(what, bucket.limits.list, async (token) => {
    const page = await objectPage(bucket, { what, prefix, token, call, delimiter: '/' });
    return {
      items: folders(page.CommonPrefixes).map((key) => checked(what, prefix, { key }).key),
      next: nextOf(what, page),
    };
  });
}

export async function* listUploads(bucket: Bucket, prefix: string, call: CallOptions): AsyncGenerator<Upload> {
  const { sdk, client, limits } = bucket;
  const what = `list uploads of ${prefix} in ${bucket.where}`;
  yield* allPages(what, limits.list, async (token): Promise<PageOf<Upload>> => {
    const markers = token === undefined ? {} : uploadMarkers(token);
    const command = new sdk.ListMultipartUploadsCommand({
      Bucket: bucket.name,
      Prefix: prefix,
      MaxUploads: PAGE_SIZE,
      ...markers,
    });
    const page = await request({ ...call, what, limitMs: limits.callMs }, (signal) =>
      client.send(command, { abortSignal: signal }),
    );
    const uploads = (page.Uploads ?? []).map(({ Key = '', UploadId = '', Initiated }) =>
      checked(what, prefix, { key: Key, id: UploadId, started: Initiated?.getTime() ?? 0 }),
    );
    return { items: uploads, next: nextUpload(page) };
  });
}

interface PageRequest {
  what: string;
  prefix: string;
  token: string | undefined;
  call: CallOptions;
  delimiter?: string;
}

async function objectPage(bucket: Bucket, page: PageRequest): Promise<ListObjectsV2Output> {
  const { sdk, client, limits } = bucket;
  const command = new sdk.ListObjectsV2Command({
    Bucket: bucket.name,
    Prefix: page.prefix,
    MaxKeys: PAGE_SIZE,
    ...(page.delimiter === undefined ? {} : { Delimiter: page.delimiter }),
    ...(page.token === undefined ? {} : { ContinuationToken: page.token }),
  });
  return await request({ ...page.call, what: page.what, limitMs: limits.callMs }, (signal) =>
    client.send(command, { abortSignal: signal }),
  );
}

function nextOf(what: string, page: ListObjectsV2Output): string | undefined {
  if (page.IsTruncated !== true) return undefined;
  if (page.NextContinuationToken) return page.NextContinuationToken;
  throw new AppError('badAnswer', `${what}: the server says that there is more, but not where`);
}

/** Two markers in one token, separated by a NUL, which neither can contain. */
function nextUpload(page: ListMultipartUploadsOutput): string | undefined {
  return page.IsTruncated === true ? `${page.NextKeyMarker ?? ''}\0${page.NextUploadIdMarker ?? ''}` : undefined;
}

function uploadMarkers(token: string): { KeyMarker: string; UploadIdMarker: string } {
  const [KeyMarker = '', UploadIdMarker = ''] = token.split('\0');
  return { KeyMarker, UploadIdMarker };
}

type Listed = NonNullable<ListObjectsV2Output['Contents']>[number];

function facts({ Key = '', Size = 0, LastModified, ETag = '' }: Listed): ObjectFacts {
  return { key: Key, size: Size, modified: LastModified?.getTime() ?? 0, version: ETag };
}

function folders(prefixes: CommonPrefix[] | undefined): string[] {
  return (prefixes ?? []).flatMap(({ Prefix }) => (Prefix === undefined ? [] : [Prefix]));
}

/** Keys outside the prefix must be refused: the caller may be about to delete them. */
function checked<T extends { key: string }>(what: string, prefix: string, item: T): T {
  if (item.key.startsWith(prefix)) return item;
  throw new AppError(
    'badAnswer',
    `${what}: expected only keys below it, the server named ${JSON.stringify(cleanText(item.key, 200))}`,
  );
}
