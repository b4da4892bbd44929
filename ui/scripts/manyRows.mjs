// Ten thousand recommendations and entries of the record, made up where a browser asks for them: a desk would need days to have as many.

const ROWS = 10_000;
const STAGES = ['pending', 'applied', 'rejected', 'expired', 'superseded'];
const HOUR = 3_600_000;

function recommendation(index) {
  const number = String((index % 100) + 1).padStart(3, '0');
  return {
    id: `R-${ROWS - index}`,
    version: 2,
    stage: STAGES[index % STAGES.length],
    agent: 'keep-headroom',
    kind: 'migrate',
    action: `migrate deployment/default/w-${number}-1 (1 replica) from c-${number} to c-001`,
    workload: `deployment/default/w-${number}-1`,
    from: `c-${number}`,
    to: 'c-001',
    risk: ['low', 'medium', 'high'][index % 3],
    raisedAt: 60_000,
    expiresAt: HOUR,
    planHash: String(index).padStart(64, '0'),
    benefit: (index % 40) / 10,
    reason: `c-${number} is asked for 104.5 % of its CPU (limit 80 %) and 2 pods find no node`,
    changedBy: 'agent:keep-headroom',
    isPredicted: true,
  };
}

function entry(index) {
  const seq = ROWS - index;
  return {
    seq,
    at: 60_000,
    atWall: Date.UTC(2026, 0, 1) + seq * 1000,
    kind: 'recommendation.raised',
    actor: 'agent:keep-headroom',
    subject: `R-${seq}`,
    run: 'run-1',
    body: { reason: 'c-001 is asked for 104.5 % of its CPU' },
    hash: String(seq).padStart(64, '0'),
  };
}

function pageOf(row, asked) {
  const begin = Number(asked.searchParams.get('cursor') ?? 0);
  const end = Math.min(ROWS, begin + Number(asked.searchParams.get('limit') ?? 200));
  const items = Array.from({ length: end - begin }, (_, index) => row(begin + index));
  return { items, total: ROWS, asOf: 1, nextCursor: end < ROWS ? String(end) : null };
}

export async function withManyRows(page) {
  const lists = { recommendations: recommendation, audit: entry };
  for (const [name, row] of Object.entries(lists)) {
    await page.route(
      (address) => address.pathname === `/api/v1/${name}`,
      (route) => route.fulfill({ json: pageOf(row, new URL(route.request().url())) }),
    );
  }
}
