import { Session, type Debugger } from 'node:inspector';

const MAX_FRAMES = 20;

/** Where the main thread is right now, for a thread that asks; it stays stopped there. */
export function mainThreadStack(withinMs: number): Promise<string[]> {
  const session = new Session();
  const urls = new Map<string, string>();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, withinMs, [
      'unknown: it is inside a single step, such as JSON.parse, and does not answer',
    ]);
    session.on('Debugger.scriptParsed', ({ params }) => {
      urls.set(params.scriptId, params.url);
    });
    session.on('Debugger.paused', ({ params }) => {
      clearTimeout(timer);
      resolve(params.callFrames.slice(0, MAX_FRAMES).map((frame) => lineOf(frame, urls)));
    });
    session.connectToMainThread();
    session.post('Debugger.enable');
    session.post('Debugger.pause');
  });
}

function lineOf({ functionName, location }: Debugger.CallFrame, urls: ReadonlyMap<string, string>): string {
  const { scriptId, lineNumber, columnNumber = 0 } = location;
  const where = `${urls.get(scriptId) ?? 'unknown'}:${lineNumber + 1}:${columnNumber + 1}`;
  return functionName === '' ? where : `${functionName} (${where})`;
}
