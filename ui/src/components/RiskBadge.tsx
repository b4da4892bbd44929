// How risky a plan is, as rules reckoned it.
import { ShieldAlert, ShieldCheck, TriangleAlert } from 'lucide-react';
import { Badge, type Tone } from '../ui/Badge';

const LOOKS: Record<string, { tone: Tone; Icon: typeof ShieldCheck }> = {
  low: { tone: 'good', Icon: ShieldCheck },
  medium: { tone: 'warn', Icon: TriangleAlert },
  high: { tone: 'bad', Icon: ShieldAlert },
};

export function RiskBadge({ risk, long }: { risk: string; long?: boolean }) {
  const { tone, Icon } = LOOKS[risk] ?? { tone: 'neutral' as Tone, Icon: TriangleAlert };
  return (
    <Badge tone={tone} icon={<Icon size={13} aria-hidden="true" />}>
      {risk}
      {long ? ' risk' : ''}
    </Badge>
  );
}
