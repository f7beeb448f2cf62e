import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { eventually } from '../eventually.ts';
import { identify, isAlive, MARK, markedProcesses, stopProcesses } from './processes.ts';
import { scratch } from './scratch.ts';

describe('stopProcesses', () => {
  it('ends a process with its whole group', async () => {
    using place = scratch();
    const leader = place.start('sh', ['-c', 'sleep 100 & echo $!; wait']);
    const [said] = (await once(leader.stdout!, 'data')) as [Buffer];
    const child = identify(Number(said.toString()))!;
    await stopProcesses([leader.id]);
    expect(isAlive(leader.id)).toBe(false);
    // Whoever adopted it may still have to take notice of its end.
    await eventually(() => {
      expect(isAlive(child)).toBe(false);
    });
  });

  it('leaves another process alone that has the pid now', async () => {
    using place = scratch();
    const stranger = place.start('sleep', ['100']);
    await stopProcesses([{ pid: stranger.id.pid, startTime: '1' }]);
    expect(isAlive(stranger.id)).toBe(true);
  });

  it('asks first when there is a grace period, and insists after it', async () => {
    using place = scratch();
    const polite = place.start('sh', ['-c', 'trap "exit 7" TERM; echo ready; while :; do sleep 0.01; done']);
    const deaf = place.start('sh', ['-c', 'trap "" TERM; echo ready; while :; do sleep 0.01; done']);
    await Promise.all([once(polite.stdout!, 'data'), once(deaf.stdout!, 'data')]);
    const ends = Promise.all([once(polite, 'exit'), once(deaf, 'exit')]);
    await stopProcesses([polite.id, deaf.id], 300);
    expect(await ends).toEqual([
      [7, null],
      [null, 'SIGKILL'],
    ]);
  });
});

describe('markedProcesses', () => {
  it('finds children of a marked process, also when it is gone, and no others', async () => {
    using place = scratch();
    const parent = place.start('sh', ['-c', 'sleep 100 & echo $!; read -r end'], { [MARK]: place.directory });
    const other = place.start('sleep', ['100'], { [MARK]: `${place.directory}-other` });
    const [said] = (await once(parent.stdout!, 'data')) as [Buffer];
    const gone = once(parent, 'exit');
    parent.stdin!.end();
    await gone;
    const found = markedProcesses(place.directory);
    expect(found.map(({ pid }) => pid)).toEqual([Number(said.toString())]);
    await stopProcesses(found);
    expect(markedProcesses(place.directory)).toEqual([]);
    expect(isAlive(other.id)).toBe(true);
  });
});
