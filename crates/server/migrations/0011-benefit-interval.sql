-- The interval in which the benefit should land. What an older desk predicted has it in its document only.

ALTER TABLE recommendations ADD COLUMN benefit_low DOUBLE PRECISION;
ALTER TABLE recommendations ADD COLUMN benefit_high DOUBLE PRECISION;
