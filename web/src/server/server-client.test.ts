import { describe, expect, it } from 'vitest';
import { ServerClient } from './server-client.ts';

const EVIL = 'invoice\u202efdp.exe\u2069';
const SHOWN = 'invoice\ufffdfdp.exe\ufffd';

function clientOf(body: string, status = 200): ServerClient {
  return new ServerClient(() => Promise.resolve(new Response(body, { status })));
}

async function read(stream: ReadableStream<string>): Promise<string> {
  let text = '';
  for await (const piece of stream) text += piece;
  return text;
}

describe('text that would read as something else', () => {
  it('is shown for what it is, in answers, events and logs', async () => {
    const answer = JSON.stringify({ name: EVIL });
    expect(await clientOf(answer).get('api/x')).toEqual({ name: SHOWN });
    expect(await clientOf(answer).change('POST', 'api/x')).toEqual({ name: SHOWN });
    const { signal } = new AbortController();
    expect(await read(await clientOf(`data: ${answer}\n\n`).events(undefined, signal))).toContain(SHOWN);
    expect(await read(await clientOf(`${EVIL}\n`).lines('api/x', {}, signal))).toBe(`${SHOWN}\n`);
  });

  it('is shown in errors and in the words of a proxy', async () => {
    const error = { code: 'forbidden', message: EVIL, hint: EVIL };
    await expect(clientOf(JSON.stringify({ error }), 403).get('api/x')).rejects.toMatchObject({
      ...{ code: 'forbidden', message: SHOWN, details: { hint: SHOWN } },
    });
    await expect(clientOf(EVIL, 502).get('api/x')).rejects.toThrow(SHOWN);
  });
});
