import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { oddFiles } from './odd-files.ts';

describe('names that kopia cannot keep', () => {
  let root: string;
  const write = (...bytes: number[]): void => {
    writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from(bytes)]), 'content');
  };
  const look = async () => {
    const { renamed, twins } = await oddFiles(root, new AbortController().signal);
    return { renamed: renamed.count, twins: twins.count };
  };
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'headway-odd-'));
  });
  afterEach(() => {
    rmSync(root, { recursive: true, force: true });
  });

  it('are counted, and differ by the number of their bytes that are no text', async () => {
    write(0x62, 0xff);
    write(0x62, 0xff, 0xff);
    // The beginning of a longer sign: two bytes, and two signs in their place.
    write(0x63, 0xe2, 0x82);
    write(0x63, 0xff);
    write(0xc3, 0xa9);
    expect(await look()).toEqual({ renamed: 4, twins: 0 });
  });

  it('are the same where one byte differs, and in one directory alone', async () => {
    write(0x62, 0xff);
    mkdirSync(join(root, 'below'));
    write(...Buffer.from('below/b'), 0xff);
    expect(await look()).toEqual({ renamed: 2, twins: 0 });
    write(0x62, 0xfe);
    expect(await look()).toEqual({ renamed: 3, twins: 1 });
  });

  it('are the same as a name that has the sign itself', async () => {
    write(0x62, 0xff);
    writeFileSync(join(root, 'b\ufffd'), 'content');
    expect(await look()).toEqual({ renamed: 1, twins: 1 });
  });
});
