"""What is remembered: entities, mentions, snippets, facts, relations, the queue; an epoch for every person."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables; whoever is known already is in their first epoch, ""."""
    op.add_column("people", sa.Column("epoch", sa.String(32), nullable=False, server_default=""))
    _make_entities()
    _make_facts()
    _make_relations()
    _make_queue()


def _make_entities() -> None:
    op.create_table(
        "entities",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("person", sa.String(64), nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("key", sa.String, nullable=False),
        sa.Column("type", sa.String(40), nullable=False, server_default="OTHER"),
        sa.Column("aliases", sa.JSON, nullable=False),
        sa.Column("evidence", sa.JSON, nullable=False),
        sa.Column("mentions", sa.Integer, nullable=False, server_default="0"),
        sa.Column("first_seen", sa.String(32), nullable=False),
        sa.Column("last_seen", sa.String(32), nullable=False),
        sa.Column("zone", sa.String(10), nullable=False, server_default="+00:00"),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="fk_entities_person_people", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_entities"),
        sa.UniqueConstraint("person", "key", "type", name="uq_entities_person_key_type"),
    )
    op.create_index("ix_entities_person_last_seen", "entities", ["person", "last_seen"])
    op.create_table(
        "entity_keys",
        sa.Column("id", sa.Integer, autoincrement=True, nullable=False),
        sa.Column("person", sa.String(64), nullable=False),
        sa.Column("entity", sa.String(32), nullable=False),
        sa.Column("key", sa.String, nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.CheckConstraint("kind IN ('name', 'alias', 'short')", name="kind"),
        sa.ForeignKeyConstraint(["entity"], ["entities.id"], name="fk_entity_keys_entity_entities", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="fk_entity_keys_person_people", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_entity_keys"),
        sa.UniqueConstraint("entity", "key", name="uq_entity_keys_entity_key"),
    )
    op.create_index("ix_entity_keys_person_key", "entity_keys", ["person", "key"])
    op.create_table(
        "mentions",
        sa.Column("id", sa.Integer, autoincrement=True, nullable=False),
        sa.Column("person", sa.String(64), nullable=False),
        sa.Column("entity", sa.String(32), nullable=False),
        sa.Column("conversation", sa.String(64), nullable=False, server_default=""),
        sa.Column("turn", sa.String(64), nullable=False, server_default=""),
        sa.Column("role", sa.String(10), nullable=False),
        sa.Column("text", sa.String, nullable=False),
        sa.Column("at", sa.String(32), nullable=False),
        sa.ForeignKeyConstraint(["entity"], ["entities.id"], name="fk_mentions_entity_entities", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="fk_mentions_person_people", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_mentions"),
    )
    op.create_index("ix_mentions_entity", "mentions", ["entity"])
    op.create_index("ix_mentions_person_turn", "mentions", ["person", "turn"])
    op.create_table(
        "snippets",
        sa.Column("id", sa.Integer, autoincrement=True, nullable=False),
        sa.Column("person", sa.String(64), nullable=False),
        sa.Column("entity", sa.String(32), nullable=False),
        sa.Column("conversation", sa.String(64), nullable=False, server_default=""),
        sa.Column("turn", sa.String(64), nullable=False, server_default=""),
        sa.Column("role", sa.String(10), nullable=False),
        sa.Column("text", sa.String, nullable=False),
        sa.Column("key", sa.String(32), nullable=False),
        sa.Column("at", sa.String(32), nullable=False),
        sa.ForeignKeyConstraint(["entity"], ["entities.id"], name="fk_snippets_entity_entities", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="fk_snippets_person_people", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_snippets"),
        sa.UniqueConstraint("entity", "key", name="uq_snippets_entity_key"),
    )
    op.create_index("ix_snippets_person_turn", "snippets", ["person", "turn"])


def _make_facts() -> None:
    op.create_table(
        "facts",
        sa.Column("id", sa.Integer, autoincrement=True, nullable=False),
        sa.Column("person", sa.String(64), nullable=False),
        sa.Column("entity", sa.String(32), nullable=False, server_default=""),
        sa.Column("key", sa.String(80), nullable=False),
        sa.Column("detail", sa.String, nullable=False, server_default=""),
        sa.Column("value", sa.String, nullable=False),
        sa.Column("amount", sa.Float),
        sa.Column("unit", sa.String(24), nullable=False, server_default=""),
        sa.Column("source", sa.String(10), nullable=False),
        sa.Column("act", sa.String(10), nullable=False),
        sa.Column("said", sa.Integer, nullable=False, server_default="1"),
        sa.Column("conversation", sa.String(64), nullable=False, server_default=""),
        sa.Column("turn", sa.String(64), nullable=False, server_default=""),
        sa.Column("valid_from", sa.String(32), nullable=False),
        sa.Column("retired_at", sa.String(32)),
        sa.Column("retired_turn", sa.String(64), nullable=False, server_default=""),
        sa.Column("replaced_by", sa.Integer),
        sa.Column("withdrawn", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.CheckConstraint("act IN ('states', 'adds', 'corrects', 'retracts')", name="act"),
        sa.CheckConstraint("source IN ('person', 'assistant', 'document')", name="source"),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="fk_facts_person_people", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_facts"),
    )
    op.create_index("ix_facts_person_entity_retired_at", "facts", ["person", "entity", "retired_at"])
    op.create_index("ix_facts_person_replaced_by", "facts", ["person", "replaced_by"])
    op.create_index("ix_facts_person_turn", "facts", ["person", "turn"])


def _make_relations() -> None:
    op.create_table(
        "relations",
        sa.Column("id", sa.Integer, autoincrement=True, nullable=False),
        sa.Column("person", sa.String(64), nullable=False),
        sa.Column("subject", sa.String(32), nullable=False, server_default=""),
        sa.Column("predicate", sa.String(80), nullable=False),
        sa.Column("object", sa.String(32), nullable=False),
        sa.Column("first_seen", sa.String(32), nullable=False),
        sa.Column("last_seen", sa.String(32), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="fk_relations_person_people", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_relations"),
        sa.UniqueConstraint(
            "person", "subject", "predicate", "object", name="uq_relations_person_subject_predicate_object"
        ),
    )
    op.create_index("ix_relations_person_object", "relations", ["person", "object"])
    op.create_table(
        "relation_evidence",
        sa.Column("id", sa.Integer, autoincrement=True, nullable=False),
        sa.Column("person", sa.String(64), nullable=False),
        sa.Column("relation", sa.Integer, nullable=False),
        sa.Column("conversation", sa.String(64), nullable=False, server_default=""),
        sa.Column("turn", sa.String(64), nullable=False, server_default=""),
        sa.Column("said", sa.String, nullable=False, server_default=""),
        sa.Column("at", sa.String(32), nullable=False),
        sa.ForeignKeyConstraint(
            ["person"], ["people.id"], name="fk_relation_evidence_person_people", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["relation"], ["relations.id"], name="fk_relation_evidence_relation_relations", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_relation_evidence"),
        sa.UniqueConstraint("relation", "turn", name="uq_relation_evidence_relation_turn"),
    )
    op.create_index("ix_relation_evidence_person_turn", "relation_evidence", ["person", "turn"])
    op.create_table(
        "identity_changes",
        sa.Column("id", sa.Integer, autoincrement=True, nullable=False),
        sa.Column("person", sa.String(64), nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("entity", sa.String(32), nullable=False),
        sa.Column("other", sa.String(32), nullable=False),
        sa.Column("record", sa.JSON, nullable=False),
        sa.Column("at", sa.String(32), nullable=False),
        sa.CheckConstraint("kind IN ('merge', 'split')", name="kind"),
        sa.ForeignKeyConstraint(
            ["person"], ["people.id"], name="fk_identity_changes_person_people", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_identity_changes"),
    )
    op.create_index("ix_identity_changes_person", "identity_changes", ["person"])


def _make_queue() -> None:
    op.create_table(
        "jobs",
        sa.Column("id", sa.Integer, autoincrement=True, nullable=False),
        sa.Column("person", sa.String(64), nullable=False),
        sa.Column("epoch", sa.String(32), nullable=False),
        sa.Column("conversation", sa.String(64), nullable=False),
        sa.Column("turn", sa.String(64), nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False, server_default="0"),
        sa.Column("worker", sa.String(64), nullable=False, server_default=""),
        sa.Column("leased_until", sa.String(32)),
        sa.Column("created", sa.String(32), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="fk_jobs_person_people", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_jobs"),
        sa.UniqueConstraint("turn", name="uq_jobs_turn"),
    )
    op.create_index("ix_jobs_conversation_id", "jobs", ["conversation", "id"])
    op.create_table(
        "outcomes",
        sa.Column("extractor", sa.String(80), nullable=False),
        sa.Column("outcome", sa.String(40), nullable=False),
        sa.Column("count", sa.Integer, nullable=False, server_default="0"),
        sa.PrimaryKeyConstraint("extractor", "outcome", name="pk_outcomes"),
    )
