"""The story of an audit: plan, draws, findings."""
