import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { KopiaProgram } from './kopia-program.ts';
import { maintainRepository } from './kopia-repository.ts';

describe('maintenance', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'headway-maintain-'));
  });
  afterEach(() => {
    rmSync(directory, { recursive: true, force: true });
  });
  const never = new AbortController().signal;

  /** With a program that does what the script says. */
  function kopia(script: string): KopiaProgram {
    const program = join(directory, 'kopia');
    writeFileSync(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    const repository = { kind: 'filesystem', path: join(directory, 'repository') } as const;
    return new KopiaProgram({ program, repository, scratch: directory, secrets: { password: 'p' }, env: process.env });
  }

  it('takes as long as its caller lets it: no limit of short commands holds', async () => {
    const limit = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort(new Error('it was short')));
    await maintainRepository(kopia('exit 0'), true, never);
    expect(limit).not.toHaveBeenCalled();
  });

  it('fails with what kopia says, and ends with its caller', async () => {
    const full = kopia('echo "write p1: no space left on device" >&2; exit 1');
    await expect(maintainRepository(full, false, never)).rejects.toMatchObject({ code: 'tooLarge' });
    const over = new AbortController();
    const running = maintainRepository(kopia('exec sleep 60'), false, over.signal);
    over.abort(new Error('nobody wants it'));
    await expect(running).rejects.toThrow('nobody wants it');
  });
});
