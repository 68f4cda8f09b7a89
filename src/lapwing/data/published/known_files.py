"""The published files that lapwing knows, with their addresses and digests."""

from __future__ import annotations

from lapwing.data.published.files import PublishedFile

SIGMA = "https://raw.githubusercontent.com/yifeim/sigma_opt_codes/master/data"
WVGN = "https://raw.githubusercontent.com/yeweiysh/wvGN/master/data"
FILMS = (
    "it is built from Wikipedia's film lists (github.com/prust/wikipedia-movie-data): one row "
    "for each two US films that share actors, and each film's genre"
)
IMAGES = (
    "it is a matrix 'usps_all' with one row per image, 256 grey values and a label from 1 (digit "
    "0) to 10 (digit 9)"
)
ATTRIBUTED = (
    "it is the largest component of the public graph (github.com/EdisonLeeeee/GraphData, "
    "github.com/yandex-research/heterophilous-graphs) as the arrays edges, labels, x_data, "
    "x_indices, x_indptr and x_shape"
)

FILES: dict[str, tuple[PublishedFile, ...]] = {
    "cora": (
        PublishedFile(
            "linqs/cora.tgz",
            "3be8a880aae77aa045d333167ccb94848fd75e081cab4250d7f54777db897f89",
            167063,
            f"{SIGMA}/cora.tgz",
        ),
    ),
    "citeseer": (
        PublishedFile(
            "linqs/citeseer.tgz",
            "36818b2dcd2e66497caec3558c8da1516fcd54baf111c3689e8f9e6e31dc22d6",
            358671,
            f"{SIGMA}/citeseer.tgz",
        ),
    ),
    "coauthor": (
        PublishedFile(
            "coauthor/DBLP.mat",
            "62e27b0f2fa117c4894adf7a5b77727cfe6c248ccc4ccd1bca5886d2da783954",
            23798,
            f"{SIGMA}/DBLP.mat",
        ),
    ),
    "pubmed": (
        PublishedFile(
            "wvgn/pubmed.mat",
            "182df7d26fbe16b12245613ddd7152441276eaf08bca6db337a0138c264446fa",
            274543,
            f"{WVGN}/real%20data/pubmed.mat",
        ),
    ),
    "cora-full": (
        PublishedFile(
            "wvgn/cora.mat",
            "4d57be978eae28420e31b51e33eaab3d0655964474072551ea29aad9d9609c73",
            480274,
            f"{WVGN}/real%20data/cora.mat",
        ),
    ),
    "imdb": (
        PublishedFile(
            "wvgn/imdb.mat",
            "bbd50df8cade907e0df8aeb10690877de0b0e581e413d74214616b6c2ffa1382",
            2430997,
            f"{WVGN}/real%20data/imdb.mat",
        ),
    ),
    "wikipedia": (
        PublishedFile(
            "wvgn/wikipedia.mat",
            "b40977b48dec1d5016af0f6d5d2bce6f1c1037ccab948c2bbe324cea16754835",
            2318552,
            f"{WVGN}/real%20data/wikipedia.mat",
        ),
    ),
    "network1": (
        PublishedFile(
            "wvgn/network1/A.mat",
            "e09ba9b38e52fa76877bff0b925a97f10d13612e5060ee3b7a52645bae9d1bea",
            1537,
            f"{WVGN}/synthetic%20data/network1/A.mat",
        ),
        PublishedFile(
            "wvgn/network1/label.mat",
            "156537de49514050ab3bfd5dfcad5cb393052902fb4248819090edde210d45d1",
            229,
            f"{WVGN}/synthetic%20data/network1/label.mat",
        ),
    ),
    "network2": (
        PublishedFile(
            "wvgn/network2/A.mat",
            "422ff7a3aa900394db3b93bcc62958745e4d20e1ffa353538206338c426ae12d",
            1466,
            f"{WVGN}/synthetic%20data/network2/A.mat",
        ),
        PublishedFile(
            "wvgn/network2/label.mat",
            "a14065848b25c03d59cd8528603bd71075a6986978f2978fd65d77dff2ad0a25",
            262,
            f"{WVGN}/synthetic%20data/network2/label.mat",
        ),
    ),
    "usps": (
        PublishedFile(
            "usps/usps_all.mat",
            "6808d327acc6a5d9335acf4647ad64b2285490dcab053a32509caacb7fbf0303",
            1869522,
            origin=IMAGES,
        ),
    ),
    "movies": (
        PublishedFile(
            "movies/edges.tsv.gz",
            "1603cb260903f29d2b2bb3d4bda88176ec88ade333641130591f974c030f8b4d",
            3773923,
            origin=FILMS,
        ),
        PublishedFile(
            "movies/labels.tsv.gz",
            "65a19f33286323f772ae63c63848a320f44dbee752a1cfafe6afe7459f0173a7",
            155767,
            origin=FILMS,
        ),
    ),
    "acm": (
        PublishedFile(
            "attributed/acm.npz",
            "089cb4e16f1f3a95b0656f877c995d67e935cd93c1c52d6ac2c094ae0ec6cc97",
            265088,
            origin=ATTRIBUTED,
        ),
    ),
    "amazon-photo": (
        PublishedFile(
            "attributed/amazon-photo.npz",
            "960fd8e6d6ac7c69bdc06d5e0a94042db840c7ca59bfd05eef2f9c6c1071dbe8",
            1779152,
            origin=ATTRIBUTED,
        ),
    ),
    "actor": (
        PublishedFile(
            "attributed/actor.npz",
            "ffd434d78005d313a5bfc2773a44f131bb6ee624298ecdd1f63e098759580f94",
            142651,
            origin=ATTRIBUTED,
        ),
    ),
    "chameleon": (
        PublishedFile(
            "attributed/chameleon.npz",
            "df56256c2b30f18bf60deed5cad45240758ffcd8f846d5ce204f996ee6004fcf",
            40298,
            origin=ATTRIBUTED,
        ),
    ),
    "texas": (
        PublishedFile(
            "attributed/texas.npz",
            "b5693f87b33e592aac5c6d3b40d7fb48ccbeb57e39204a2f3fe294e053c2f443",
            22627,
            origin=ATTRIBUTED,
        ),
    ),
    "cornell": (
        PublishedFile(
            "attributed/cornell.npz",
            "da3b8e186ef1555f16978f89d1cd46b69a252a3a012004c14efd2b40574ef29c",
            25833,
            origin=ATTRIBUTED,
        ),
    ),
}
