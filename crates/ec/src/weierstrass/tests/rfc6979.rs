//! The signatures of RFC 6979, A.2.4, A.2.6 and A.2.7.

use crate::weierstrass::{Curve, PrivateKey};
use adamant_base::family::Hash;
use adamant_hash::{Sha1, Sha224, Sha256, Sha384, Sha512};
use adamant_testkit::table;

fn check<C: Curve<W>, H: Hash, const W: usize>(
    backends: &[C::Group],
    key: &[u8],
    message: &str,
    expected: &str,
) {
    let digest = H::digest(message.as_bytes());
    for &backend in backends {
        let key = PrivateKey::<C, W>::try_from(key)
            .unwrap()
            .with_backend(backend);
        let signature = key.sign_prehashed_with::<H>(digest.as_ref());
        assert_eq!(hex::encode(signature.as_ref()), expected, "{message}");
        let verdict = key
            .public_key()
            .verify_prehashed(digest.as_ref(), &signature);
        assert_eq!(verdict, Ok(()));
    }
}

macro_rules! answers {
    ($($module:ident: $curve:ident, $w:literal, $key:expr,
        [$($message:literal $hash:ident $signature:expr;)*])*) => { $(
        #[test]
        fn $module() {
            use crate::weierstrass::$module::{$curve, Backend};
            let mut backends = Vec::new();
            table!(Backend).for_each(|backend| backends.push(backend));
            let key = hex::decode($key).unwrap();
            $( check::<$curve, $hash, $w>(&backends, &key, $message, $signature); )*
        }
    )* };
}

answers! {
    p224: P224, 4, "f220266e1105bfe3083e03ec7a3a654651f45e37167e88600bf257c1", [
        "sample" Sha1 concat!(
            "22226f9d40a96e19c4a301ce5b74b115303c0f3a4fd30fc257fb57ac66d1cdd83e3af75605dd6e2f",
            "eff196d30aa7ed7a2edf7af475403d69",
        );
        "sample" Sha224 concat!(
            "1cdfe6662dde1e4a1ec4cdedf6a1f5a2fb7fbd9145c12113e6abfd3ea6694fd7718a21053f225d3f",
            "46197ca699d45006c06f871808f43ebc",
        );
        "sample" Sha256 concat!(
            "61aa3da010e8e8406c656bc477a7a7189895e7e840cdfe8ff42307babc814050dab5d23770879494",
            "f9e0a680dc1af7161991bde692b10101",
        );
        "sample" Sha384 concat!(
            "0b115e5e36f0f9ec81f1325a5952878d745e19d7bb3eabfaba77e953830f34ccdfe826ccfdc81eb4",
            "129772e20e122348a2bbd889a1b1af1d",
        );
        "sample" Sha512 concat!(
            "074bd1d979d5f32bf958ddc61e4fb4872adcafeb2256497cdac30397a4ceca196c3d5a1ff31027b3",
            "3185dc8ee43f288b21ab342e5d8eb084",
        );
        "test" Sha1 concat!(
            "deaa646ec2af2ea8ad53ed66b2e2ddaa49a12efd8356561451f3e21c95987796f6cf2062ab813527",
            "1de56ae55366c045f6d9593f53787bd2",
        );
        "test" Sha224 concat!(
            "c441ce8e261ded634e4cf84910e4c5d1d22c5cf3b732bb204dbef019902f42847a63bdc5f6046ada",
            "114953120f99442d76510150f372a3f4",
        );
        "test" Sha256 concat!(
            "ad04dde87b84747a243a631ea47a1ba6d1faa059149ad2440de6fba6178d49b1ae90e3d8b629be3d",
            "b5683915f4e8c99fdf6e666cf37adcfd",
        );
        "test" Sha384 concat!(
            "389b92682e399b26518a95506b52c03bc9379a9dadf3391a21fb0ea4414a718ed3249ff6dbc5b50c",
            "27f71f01f070944da22ab1f78f559aab",
        );
        "test" Sha512 concat!(
            "049f050477c5add858cac56208394b5a55baebbe887fdf765047c17c077eb13e7005929cefa3cd04",
            "03c7cdcc077adf4e44f3c41b2f60ecff",
        );
    ]
    p384: P384, 6, concat!(
        "6b9d3dad2e1b8c1c05b19875b6659f4de23c3b667bf297ba9aa47740787137d896d5724e4c70a825",
        "f872c9ea60d2edf5",
    ), [
        "sample" Sha1 concat!(
            "ec748d839243d6fbef4fc5c4859a7dffd7f3abddf72014540c16d73309834fa37b9ba002899f6fda",
            "3a4a9386790d4eb2a3bcfa947beef4732bf247ac17f71676cb31a847b9ff0cbc9c9ed4c1a5b3facf",
            "26f49ca031d4857570ccb5ca4424a443",
        );
        "sample" Sha224 concat!(
            "42356e76b55a6d9b4631c865445dbe54e056d3b3431766d0509244793c3f9366450f76ee3de43f5a",
            "125333a6be0601229da0c81787064021e78df658f2fbb0b042bf304665db721f077a4298b095e483",
            "4c082c03d83028efbf93a3c23940ca8d",
        );
        "sample" Sha256 concat!(
            "21b13d1e013c7fa1392d03c5f99af8b30c570c6f98d4ea8e354b63a21d3daa33bde1e888e63355d9",
            "2fa2b3c36d8fb2cdf3aa443fb107745bf4bd77cb3891674632068a10ca67e3d45db2266fa7d1feeb",
            "efdc63eccd1ac42ec0cb8668a4fa0ab0",
        );
        "sample" Sha384 concat!(
            "94edbb92a5ecb8aad4736e56c691916b3f88140666ce9fa73d64c4ea95ad133c81a648152e44acf9",
            "6e36dd1e80fabe4699ef4aeb15f178cea1fe40db2603138f130e740a19624526203b6351d0a3a94f",
            "a329c145786e679e7b82c71a38628ac8",
        );
        "sample" Sha512 concat!(
            "ed0959d5880ab2d869ae7f6c2915c6d60f96507f9cb3e047c0046861da4a799cfe30f35cc900056d",
            "7c99cd7882433709512c8cceee3890a84058ce1e22dbc2198f42323ce8aca9135329f03c068e5112",
            "dc7cc3ef3446defceb01a45c2667fdd5",
        );
        "test" Sha1 concat!(
            "4bc35d3a50ef4e30576f58cd96ce6bf638025ee624004a1f7789a8b8e43d0678acd9d29876daf466",
            "38645f7f404b11c7d5a6326c494ed3ff614703878961c0fde7b2c278f9a65fd8c4b7186201a29916",
            "95ba1c84541327e966fa7b50f7382282",
        );
        "test" Sha224 concat!(
            "e8c9d0b6ea72a0e7837fea1d14a1a9557f29faa45d3e7ee888fc5bf954b5e62464a9a817c47ff78b",
            "8c11066b24080e7207041d4a7a0379ac7232ff72e6f77b6ddb8f09b16cce0ec3286b2bd43fa8c614",
            "1c53ea5abef0d8231077a04540a96b66",
        );
        "test" Sha256 concat!(
            "6d6defac9ab64dabafe36c6bf510352a4cc27001263638e5b16d9bb51d451559f918eedaf2293be5",
            "b475cc8f0188636b2d46f3becbcc523d5f1a1256bf0c9b024d879ba9e838144c8ba6baeb4b53b47d",
            "51ab373f9845c0514eefb14024787265",
        );
        "test" Sha384 concat!(
            "8203b63d3c853e8d77227fb377bcf7b7b772e97892a80f36ab775d509d7a5feb0542a7f0812998da",
            "8f1dd3ca3cf023dbddd0760448d42d8a43af45af836fce4de8be06b485e9b61b827c2f13173923e0",
            "6a739f040649a667bf3b828246baa5a5",
        );
        "test" Sha512 concat!(
            "a0d5d090c9980faf3c2ce57b7ae951d31977dd11c775d314af55f76c676447d06fb6495cd21b4b6e",
            "340fc236584fb277976984e59b4c77b0e8e4460dca3d9f20e07b9bb1f63beefaf576f6b2e8b22463",
            "4a2092cd3792e0159ad9cee37659c736",
        );
    ]
    p521: P521, 9, concat!(
        "00fad06daa62ba3b25d2fb40133da757205de67f5bb0018fee8c86e1b68c7e75caa896eb32f1f47c",
        "70855836a6d16fcc1466f6d8fbec67db89ec0c08b0e996b83538",
    ), [
        "sample" Sha1 concat!(
            "00343b6ec45728975ea5cba6659bbb6062a5ff89eea58be3c80b619f322c87910fe092f7d45bb0f8",
            "eee01ed3f20babec079d202ae677b243ab40b5431d497c55d75d00e7b0e675a9b24413d448b8cc11",
            "9d2bf7b2d2df032741c096634d6d65d0dbe3d5694625fb9e8104d3b842c1b0e2d0b98bea19341e86",
            "76aef66ae4eba3d5475d5d16",
        );
        "sample" Sha224 concat!(
            "01776331cfcdf927d666e032e00cf776187bc9fdd8e69d0dabb4109ffe1b5e2a30715f4cc923a4a5",
            "e94d2503e9acfed92857b7f31d7152e0f8c00c15ff3d87e2ed2e0050cb5265417fe2320bbb5a122b",
            "8e1a32bd699089851128e360e620a30c7e17ba41a666af126ce100e5799b153b60528d5300d08489",
            "ca9178fb610a2006c254b41f",
        );
        "sample" Sha256 concat!(
            "01511bb4d675114fe266fc4372b87682baecc01d3cc62cf2303c92b3526012659d16876e25c7c1e5",
            "7648f23b73564d67f61c6f14d527d54972810421e7d87589e1a7004a171143a83163d6df460aaf61",
            "522695f207a58b95c0644d87e52aa1a347916e4f7a72930b1bc06dbe22ce3f58264afd23704cbb63",
            "b29b931f7de6c9d949a7ecfc",
        );
        "sample" Sha384 concat!(
            "01ea842a0e17d2de4f92c15315c63ddf72685c18195c2bb95e572b9c5136ca4b4b576ad712a52be9",
            "730627d16054ba40cc0b8d3ff035b12ae75168397f5d50c6745101f21a3cee066e1961025fb048bd",
            "5fe2b7924d0cd797babe0a83b66f1e35eeaf5fde143fa85dc394a7dee766523393784484bdf3e001",
            "14a1c857cde1aa203db65d61",
        );
        "sample" Sha512 concat!(
            "00c328fafcbd79dd77850370c46325d987cb525569fb63c5d3bc53950e6d4c5f174e25a1ee9017b5",
            "d450606add152b534931d7d4e8455cc91f9b15bf05ec36e377fa00617cce7cf5064806c467f678d3",
            "b4080d6f1cc50af26ca209417308281b68af282623eaa63e5b5c0723d8b8c37ff0777b1a20f8ccb1",
            "dccc43997f1ee0e44da4a67a",
        );
        "test" Sha1 concat!(
            "013bad9f29abe20de37ebeb823c252ca0f63361284015a3bf430a46aaa80b87b0693f0694bd88afe",
            "4e661fc33b094cd3b7963bed5a727ed8bd6a3a202abe009d036701e9bb81ff7944ca409ad138dbbe",
            "e228e1afcc0c890fc78ec8604639cb0dbdc90f717a99ead9d272855d00162ee9527567dd6a92cbd6",
            "29805c0445282bbc916797ff",
        );
        "test" Sha224 concat!(
            "01c7ed902e123e6815546065a2c4af977b22aa8eaddb68b2c1110e7ea44d42086bfe4a34b67ddc0e",
            "17e96536e358219b23a706c6a6e16ba77b65e1c595d43cae17fb0177336676304fcb343ce028b38e",
            "7b4fba76c1c1b277da18cad2a8478b2a9a9f5bec0f3ba04f35db3e4263569ec6aade8c92746e4c82",
            "f8299ae1b8f1739f8fd519a4",
        );
        "test" Sha256 concat!(
            "000e871c4a14f993c6c7369501900c4bc1e9c7b0b4ba44e04868b30b41d8071042eb28c4c250411d",
            "0ce08cd197e4188ea4876f279f90b3d8d74a3c76e6f1e4656aa800cd52dbaa33b063c3a6cd8058a1",
            "fb0a46a4754b034fcc644766ca14da8ca5ca9fde00e88c1ad60ccba759025299079d7a427ec3cc5b",
            "619bfbc828e7769bcd694e86",
        );
        "test" Sha384 concat!(
            "014bee21a18b6d8b3c93fab08d43e739707953244fdbe924fa926d76669e7ac8c89df62ed8975c2d",
            "8397a65a49dcc09f6b0ac62272741924d479354d74ff6075578c0133330865c067a0eaf72362a65e",
            "2d7bc4e461e8c8995c3b6226a21bd1aa78f0ed94fe536a0dca35534f0cd1510c41525d163fe9d74d",
            "134881e35141ed5e8e95b979",
        );
        "test" Sha512 concat!(
            "013e99020abf5cee7525d16b69b229652ab6bdf2affcaef38773b4b7d08725f10cdb93482fdcc54e",
            "dcee91eca4166b2a7c6265ef0ce2bd7051b7cef945babd47ee6d01fbd0013c674aa79cb398495279",
            "16ce301c66ea7ce8b80682786ad60f98f7e78a19ca69eff5c57400e3b3a0ad66ce0978214d13baf4",
            "e9ac60752f7b155e2de4dce3",
        );
    ]
}
